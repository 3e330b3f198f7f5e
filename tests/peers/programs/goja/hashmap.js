function go(n) {
  const h = new Map();
  for (let i = 0; i < n; i++) h.set(i, i);
  for (let i = 0; i < n; i++) h.set(i, (h.get(i) || 0) + 1);
  return h.get(999);
}
go(1000000);
