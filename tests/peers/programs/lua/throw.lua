local function f(x) error({value = x}) end
local function go(n)
  local s = 0
  for i = 0, n - 1 do
    local ok, e = pcall(f, i)
    if not ok then s = s + e.value + 1 end
  end
  return s
end
return go(1000000)
