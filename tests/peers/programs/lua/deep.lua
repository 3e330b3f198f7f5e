local function deep(n)
  if n == 0 then return 0 end
  return 1 + deep(n - 1)
end
return deep(1000000)
