local function make_counter()
  local n = 0
  return function()
    n = n + 1
    return n
  end
end
local c = make_counter()
local function run(k)
  for _ = 1, k do c() end
  return c()
end
return run(20000000)
