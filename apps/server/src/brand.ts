/**
 * The mark as an inline drawing for pages that the server renders; the same drawing as
 * `apps/console/public/favicon.svg`.
 */
export const mark = `<svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0b6b75"/><path d="M4 9.3h24c-1 5.3-4 8.5-8.7 8.5H9c-3 0-4.7-3.3-5-8.5z" transform="rotate(19 16 13)" fill="#fff"/><path d="M0 18.5 16 24c3.5 1.2 5-1.5 8-1.5s4.5 1.7 8 1.7a8 8 0 0 1-8 7.8H8a8 8 0 0 1-8-8z" fill="#62cdd6"/></svg>`

/** The fill of buttons and of the mark: `--accent-fill` of the console's `theme.css`. */
export const accentFill = '#0b6b75'

/** The tokens of the console's `theme.css` for emails and pages of the server: light, dark. */
export const colors = {
  canvas: ['#f6f8f8', '#0a1012'],
  surface: ['#ffffff', '#11191b'],
  line: ['#dfe5e5', '#273336'],
  fg: ['#0f1a1c', '#e8f0f0'],
  muted: ['#53605f', '#9aaaab'],
  accent: ['#0a6670', '#62cdd6'],
  success: ['#2d6c1f', '#86cf72'],
  info: ['#1f55c0', '#8fb2ff'],
  danger: ['#b3182e', '#ff8c98'],
} as const

/** The colors as custom properties, for the style of a page in both themes. */
export const colorProperties = (() => {
  const properties = (theme: 0 | 1) =>
    Object.entries(colors)
      .map(([name, values]) => `--${name}: ${values[theme]}`)
      .join('; ')
  return `:root { color-scheme: light dark; ${properties(0)} }
@media (prefers-color-scheme: dark) { :root { ${properties(1)} } }`
})()
