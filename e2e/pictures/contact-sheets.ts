import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from '@playwright/test'
import type { Device } from './looks.ts'

export type SavedPicture = {
  area: string
  name: string
  look: string
  device: Device
  file: string
}

/** The width of a picture in pixels. */
const widths: Record<Device, number> = { desktop: 640, phone: 240 }

/** The shares of a sheet that a picture takes: more pictures on a sheet would be too small. */
const shares: Record<Device, number> = { desktop: 5, phone: 2 }
const sharesPerSheet = 20

const style = `
  body { margin: 8px; font: 14px system-ui, sans-serif; background: #888; color: #000 }
  section { display: inline-block; vertical-align: top; margin: 0 6px 6px 0 }
  h2 { font-size: 15px; margin: 0 0 4px } a { color: inherit } figure { display: inline-block; margin: 0 6px 6px 0; vertical-align: top }
  figcaption { font-size: 12px } img { display: block; border: 1px solid #444; max-height: 560px; object-fit: cover; object-position: top }
  nav { position: sticky; top: 0; background: #888; padding: 8px 0 } label { margin-right: 12px }
`

const figure = ({ look, device, file }: SavedPicture) =>
  `<figure data-look="${look}"><figcaption>${look}</figcaption><a href="${basename(file)}"><img loading="lazy" src="${basename(file)}" width="${widths[device]}"></a></figure>`

const section = (name: string, pictures: SavedPicture[]) =>
  `<section><h2>${name}</h2>${pictures.map(figure).join('')}</section>`

const page = (body: string) =>
  `<!doctype html><meta charset="utf-8"><title>Pictures</title><style>${style}</style>${body}`

const byName = (pictures: SavedPicture[]) => [...Map.groupBy(pictures, ({ name }) => name)]

/** Checkboxes that show and hide the looks. */
function filters(pictures: SavedPicture[]) {
  const looks = [...new Set(pictures.map(({ look }) => look))]
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
export async function writeContactSheet(folder: string, pictures: SavedPicture[]) {
  const areas = [...Map.groupBy(pictures, ({ area }) => area)].map(
    ([area, areaPictures]) =>
      `<h1>${area}</h1>${byName(areaPictures)
        .map(([name, each]) => section(name, each))
        .join('')}`,
  )
  await writeFile(join(folder, 'index.html'), page(filters(pictures) + areas.join('')))
}

/** The screens of each sheet: as many as fit, and at least one. */
function split(screens: [string, SavedPicture[]][]) {
  const sheets: [string, SavedPicture[]][][] = []
  let sharesLeft = 0
  for (const screen of screens) {
    const share = screen[1].reduce((sum, { device }) => sum + shares[device], 0)
    if (share > sharesLeft) {
      sheets.push([])
      sharesLeft = sharesPerSheet
    }
    sharesLeft -= share
    sheets.at(-1)?.push(screen)
  }
  return sheets
}

/** Writes the pictures of each area as a few large ones, `sheet-<area>-<number>.png`. */
export async function writeSheets(browser: Browser, folder: string, pictures: SavedPicture[]) {
  const sheet = await browser.newPage({ viewport: { width: 1340, height: 600 } })
  for (const [area, areaPictures] of Map.groupBy(pictures, (each) => each.area))
    for (const [index, screens] of split(byName(areaPictures)).entries()) {
      const file = join(folder, `sheet-${area}-${String(index + 1).padStart(2, '0')}`)
      const sections = screens.map(([name, each]) => section(name, each))
      await writeFile(`${file}.html`, page(sections.join('').replaceAll('loading="lazy"', '')))
      await sheet.goto(pathToFileURL(`${file}.html`).href)
      await sheet.screenshot({ path: `${file}.png`, fullPage: true })
    }
  await sheet.close()
}
