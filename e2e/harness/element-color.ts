import type { Locator } from '@playwright/test'

type Color = 'red' | 'yellow' | 'green' | 'blue' | 'gray' | 'other'
type Browser = { getComputedStyle: (element: unknown) => Record<string, string> }

/** The name of an element's computed color, which must be opaque. */
export async function colorOf(
  element: Locator,
  property: 'color' | 'backgroundColor' | 'outlineColor' = 'color',
): Promise<Color> {
  const text = await element.evaluate(
    (target, name) => (globalThis as unknown as Browser).getComputedStyle(target)[name] ?? '',
    property,
  )
  const channels = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(text)?.slice(1).map(Number)
  if (!channels) throw new Error(`${text} is not an opaque color`)
  return nameOf(channels)
}

/** Names a color by its hue (HSL), or gray when it has hardly any saturation. */
function nameOf([red = 0, green = 0, blue = 0]: number[]): Color {
  const high = Math.max(red, green, blue)
  const span = high - Math.min(red, green, blue)
  if (span < 24) return 'gray'
  const sector =
    high === red
      ? (green - blue) / span
      : high === green
        ? 2 + (blue - red) / span
        : 4 + (red - green) / span
  const hue = (sector * 60 + 360) % 360
  if (hue < 20 || hue > 340) return 'red'
  if (hue >= 35 && hue < 65) return 'yellow'
  if (hue >= 90 && hue < 175) return 'green'
  return hue >= 200 && hue < 260 ? 'blue' : 'other'
}
