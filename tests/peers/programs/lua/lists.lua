local function range(n)
  local l = {}
  for i = 1, n do l[i] = i - 1 end
  return l
end
local function map(f, l)
  local out = {}
  for i = 1, #l do out[i] = f(l[i]) end
  return out
end
local function filter(f, l)
  local out, n = {}, 0
  for i = 1, #l do
    local x = l[i]
    if f(x) then
      n = n + 1
      out[n] = x
    end
  end
  return out
end
local function foldl(f, acc, l)
  for i = 1, #l do acc = f(acc, l[i]) end
  return acc
end
local l = range(1000000)
local function go()
  local doubled = map(function(x) return x * 2 end, l)
  local thirds = filter(function(x) return x % 3 == 0 end, doubled)
  return foldl(function(a, x) return a + x end, 0, thirds)
end
go()
return go()
