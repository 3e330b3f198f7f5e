-- The idiom is to collect the pieces and join them once: .. copies.
local function go(n)
  local parts = {}
  for i = 0, n - 1 do parts[#parts + 1] = "item" .. i .. ";" end
  return #table.concat(parts)
end
return go(1000000)
