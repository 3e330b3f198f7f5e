-- foldl is a function of the host, in Go.
local l = {}
for i = 1, 10000 do l[i] = i - 1 end
local function go(n)
  local s = 0
  for _ = 1, n do s = s + foldl(function(a, x) return a + x end, 0, l) end
  return s
end
return go(1000)
