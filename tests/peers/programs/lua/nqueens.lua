-- Lists are pairs {first, rest}; the empty list is nil.
local function append(a, b)
  if a == nil then return b end
  return {a[1], append(a[2], b)}
end
local function ok(row, dist, placed)
  while placed ~= nil do
    if placed[1] == row + dist or placed[1] == row - dist then return false end
    dist, placed = dist + 1, placed[2]
  end
  return true
end
local function one_to(n)
  local l = nil
  for i = n, 1, -1 do l = {i, l} end
  return l
end
local function try(x, y, z)
  if x == nil then return y == nil and 1 or 0 end
  local n = 0
  if ok(x[1], 1, z) then n = try(append(x[2], y), nil, {x[1], z}) end
  return n + try(x[2], {x[1], y}, z)
end
local function nqueens(n) return try(one_to(n), nil, nil) end
return nqueens(9)
