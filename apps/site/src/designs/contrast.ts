/** Linear or gamma-encoded red, green and blue, 0 to 1. */
type Rgb = readonly [number, number, number]

const mapRgb = (
  [red, green, blue]: Rgb,
  change: (value: number, index: 0 | 1 | 2) => number,
): Rgb => [change(red, 0), change(green, 1), change(blue, 2)]

const toLinear = (value: number) =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4

const toEncoded = (value: number) =>
  value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055

const parseHex = (hex: string): Rgb => {
  const part = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16) / 255
  return [part(1), part(3), part(5)]
}

const toHex = (rgb: Rgb): string =>
  `#${rgb
    .map((value) =>
      Math.round(value * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** Relative luminance (WCAG 2.2). */
const luminance = (hex: string): number => {
  const [red, green, blue] = mapRgb(parseHex(hex), toLinear)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast ratio of two colors such as #1c1c1a (WCAG 2.2). */
export const contrast = (one: string, other: string): number => {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [
    number,
    number,
  ]
  return (lighter + 0.05) / (darker + 0.05)
}

/** OKLCH to linear sRGB; values outside 0 to 1 are out of gamut. Björn Ottosson's matrices. */
const fromOklch = (lightness: number, chroma: number, hue: number): Rgb => {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

/** Reduces the chroma until the color is in sRGB. */
const gamutMapped = (lightness: number, chroma: number, hue: number): string => {
  for (let triedChroma = chroma; ; triedChroma -= 0.005) {
    const rgb = fromOklch(lightness, Math.max(triedChroma, 0), hue)
    if (triedChroma <= 0 || rgb.every((value) => value >= 0 && value <= 1))
      return toHex(mapRgb(rgb, (value) => toEncoded(Math.min(Math.max(value, 0), 1))))
  }
}

/** A mixture of two colors with `share` (0 to 1) of the first. */
export const mix = (one: string, other: string, share: number): string => {
  const [first, second] = [parseHex(one), parseHex(other)]
  return toHex(mapRgb(first, (value, index) => value * share + second[index] * (1 - share)))
}

/** The minimum for text (WCAG 2.2, 1.4.3), and a little more for rounding. */
export const textContrast = 4.6

/**
 * The color of a hue that is readable as text on all these backgrounds: starts at a lightness and
 * moves away from that of the backgrounds.
 */
export const readableColor = (
  { chroma, hue }: { chroma: number; hue: number },
  backgrounds: readonly string[],
): string => {
  // 0.18: the luminance with equal contrast to black and to white.
  const isDark = luminance(backgrounds[0] ?? '#ffffff') < 0.18
  const step = isDark ? 0.005 : -0.005
  for (let lightness = isDark ? 0.7 : 0.6; lightness > 0 && lightness < 1; lightness += step) {
    const color = gamutMapped(lightness, chroma, hue)
    if (backgrounds.every((background) => contrast(color, background) >= textContrast)) return color
  }
  return isDark ? '#ffffff' : '#000000'
}

/** The more readable of two colors on a background. */
export const moreReadable = (one: string, other: string, background: string): string =>
  contrast(one, background) >= contrast(other, background) ? one : other
