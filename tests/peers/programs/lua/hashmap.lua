-- This engine keeps keys 1 to n in an array, not in its hash table.
local function go(n)
  local h = {}
  for i = 0, n - 1 do h[i] = i end
  for i = 0, n - 1 do h[i] = (h[i] or 0) + 1 end
  return h[999]
end
return go(1000000)
