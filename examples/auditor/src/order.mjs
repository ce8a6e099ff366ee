/** The order q of ristretto255 and of Ed25519's base point. */
export const ORDER = (1n << 252n) + 27742317777372353535851937790883648493n;
export const mod = (value) => {
  const rest = value % ORDER;
  return rest < 0n ? rest + ORDER : rest;
};
