// The pieces are collected and joined once: += copies in this engine.
function go(n) {
  const parts = [];
  for (let i = 0; i < n; i++) parts.push("item" + i + ";");
  return parts.join("").length;
}
go(1000000);
