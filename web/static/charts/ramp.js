// The colours of heat maps.

/** Cividis: from dark (low) to light (high); readable with colour-vision deficiency. */
const anchors = [[0, 34, 78], [18, 53, 112], [59, 73, 108], [87, 93, 109], [112, 113, 115], [138, 134, 120], [165, 156, 116], [195, 179, 105], [225, 204, 85], [254, 232, 56]];
export const ramp = Array.from({ length: 256 }, (_, i) => {
  const at = (i / 255) * (anchors.length - 1), k = Math.min(Math.floor(at), anchors.length - 2);
  return anchors[k].map((c, j) => Math.round(c + (anchors[k + 1][j] - c) * (at - k)));
});
