local function sum(n)
  local acc = 0
  for i = 0, n - 1 do acc = acc + i end
  return acc
end
return sum(100000000)
