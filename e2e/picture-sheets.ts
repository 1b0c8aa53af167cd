import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from '@playwright/test'
import type { Device } from './picture-looks.ts'

export type Taken = { area: string; name: string; look: string; device: Device; file: string }

/** How wide a picture is shown, in pixels. */
const widths: Record<Device, number> = { desktop: 640, phone: 240 }

/** So many pictures are one sheet: more cannot be made out when it is looked at as a whole. */
const perSheet = 8

const style = `
  body { margin: 16px; font: 14px system-ui, sans-serif; background: #888; color: #000 }
  section { display: inline-block; vertical-align: top; margin: 0 12px 12px 0 }
  h2 { font-size: 15px; margin: 0 0 4px } a { color: inherit } figure { display: inline-block; margin: 0 6px 6px 0; vertical-align: top }
  figcaption { font-size: 12px } img { display: block; border: 1px solid #444; max-height: 1000px; object-fit: cover; object-position: top }
  nav { position: sticky; top: 0; background: #888; padding: 8px 0 } label { margin-right: 12px }
`

const figure = ({ look, device, file }: Taken) =>
  `<figure data-look="${look}"><figcaption>${look}</figcaption><a href="${basename(file)}"><img loading="lazy" src="${basename(file)}" width="${widths[device]}"></a></figure>`

const section = (name: string, taken: Taken[]) =>
  `<section><h2>${name}</h2>${taken.map(figure).join('')}</section>`

const page = (body: string) =>
  `<!doctype html><meta charset="utf-8"><title>Pictures</title><style>${style}</style>${body}`

const byName = (taken: Taken[]) => [...Map.groupBy(taken, ({ name }) => name)]

/** Boxes to tick, by which the looks are shown and hidden. */
function filters(taken: Taken[]) {
  const looks = [...new Set(taken.map(({ look }) => look))]
  const boxes = looks.map(
    (look) => `<label><input type="checkbox" checked value="${look}"> ${look}</label>`,
  )
  return `<nav>${boxes.join('')}</nav><script>
    document.querySelector('nav').addEventListener('change', ({ target }) => {
      for (const figure of document.querySelectorAll('[data-look="' + target.value + '"]'))
        figure.hidden = !target.checked, figure.style.display = target.checked ? '' : 'none'
    })
  </script>`
}

/** Writes `index.html`: every picture with its caption, by area and screen. */
export async function writeContactSheet(folder: string, taken: Taken[]) {
  const areas = [...Map.groupBy(taken, ({ area }) => area)].map(
    ([area, own]) =>
      `<h1>${area}</h1>${byName(own)
        .map(([name, each]) => section(name, each))
        .join('')}`,
  )
  await writeFile(join(folder, 'index.html'), page(filters(taken) + areas.join('')))
}

/** Writes the pictures of each area as a few large ones, `sheet-<area>-<number>.png`. */
export async function writeSheets(browser: Browser, folder: string, taken: Taken[]) {
  const sheet = await browser.newPage({ viewport: { width: 1880, height: 1000 } })
  for (const [area, own] of Map.groupBy(taken, (each) => each.area)) {
    const screens = byName(own)
    const count = Math.max(1, Math.floor(perSheet / (screens[0]?.[1].length ?? 1)))
    for (let first = 0; first < screens.length; first += count) {
      const number = String(first / count + 1).padStart(2, '0')
      const file = join(folder, `sheet-${area}-${number}`)
      const shown = screens.slice(first, first + count).map(([name, each]) => section(name, each))
      await writeFile(`${file}.html`, page(shown.join('').replaceAll('loading="lazy"', '')))
      await sheet.goto(pathToFileURL(`${file}.html`).href)
      await sheet.screenshot({ path: `${file}.png`, fullPage: true })
    }
  }
  await sheet.close()
}
