local function iter(cr, ci)
  local zr, zi, k = 0.0, 0.0, 0
  while true do
    local r2, i2 = zr * zr, zi * zi
    if k >= 50 or r2 + i2 > 4.0 then return k end
    zi = 2.0 * zr * zi + ci -- first: the engine's parallel assignment gets this wrong
    zr = r2 - i2 + cr
    k = k + 1
  end
end
local function mandel(w, h)
  local sum = 0
  for y = 0, h - 1 do
    for x = 0, w - 1 do
      sum = sum + iter(3.0 * x / w - 2.0, 2.0 * y / h - 1.0)
    end
  end
  return sum
end
return mandel(400, 400)
