import type { Browser } from '@playwright/test'

/** The first page of a cafe. */
const cafe = (name: string, hue: number) => `
  <div style="height:560px;background:hsl(${hue + 20} 35% 95%);position:relative;overflow:hidden">
    <div style="position:absolute;right:-90px;top:-130px;width:640px;height:640px;
      border-radius:50%;background:hsl(${hue + 20} 45% 82%)"></div>
    <div style="position:absolute;right:90px;top:130px;width:400px;height:300px;
      border-radius:0 0 200px 200px;background:hsl(${hue} 45% 30%)"></div>
    <div style="position:absolute;right:20px;top:170px;width:130px;height:150px;
      border:30px solid hsl(${hue} 45% 30%);border-radius:90px;box-sizing:border-box"></div>
    <div style="padding:110px 60px;position:relative"><b style="color:hsl(${hue} 45% 30%)">
      Menu &nbsp; Hours &nbsp; Find us</b>
      <h1 style="font-size:104px;line-height:1;margin:40px 0 24px;width:560px;
        color:hsl(${hue} 50% 18%)">${name}</h1>
      <p style="font-size:30px;color:hsl(${hue} 20% 35%)">Coffee and cake by the water</p></div></div>`

/** The first pages of other example sites, each in one of three designs. */
const designs = [
  (name: string, hue: number) => `
    <header style="padding:28px 60px;display:flex;justify-content:space-between;background:#fff">
      <b>${name}</b><span style="color:#777">About &nbsp; Visit &nbsp; Contact</span></header>
    <div style="height:430px;padding:110px 60px;color:#fff;
      background:linear-gradient(120deg,hsl(${hue} 60% 28%),hsl(${hue + 40} 65% 52%))">
      <h1 style="font-size:84px;margin:0 0 20px">${name}</h1>
      <p style="font-size:32px;margin:0">Open every day, for everybody</p></div>`,
  (name: string, hue: number) => `
    <div style="display:flex;height:560px;background:hsl(${hue} 40% 96%)">
      <div style="flex:1;padding:120px 60px"><h1 style="font-size:76px;margin:0 0 24px;
        color:hsl(${hue} 60% 25%)">${name}</h1><p style="font-size:28px;color:#555">
        News, dates and pictures</p></div>
      <div style="flex:1;background:radial-gradient(circle at 30% 30%,
        hsl(${hue} 70% 70%),hsl(${hue + 60} 55% 40%))"></div></div>`,
  (name: string, hue: number) => `
    <div style="height:560px;background:hsl(${hue} 35% 12%);color:#fff;text-align:center;
      padding-top:150px;box-sizing:border-box">
      <h1 style="font-size:92px;margin:0;letter-spacing:-2px">${name}</h1>
      <p style="font-size:30px;color:hsl(${hue} 60% 75%)">Since 1987</p></div>`,
]

const cards = (hue: number) =>
  [0, 25, 50]
    .map(
      (shift) => `<div style="flex:1;height:190px;border-radius:12px;
        background:hsl(${hue + shift} 45% 82%)"></div>`,
    )
    .join('')

const pageOf = (name: string, index: number) => {
  const hue = (index * 67 + 190) % 360
  const design = name.endsWith('Cafe') ? cafe : designs[index % designs.length]
  return `<body style="margin:0;font-family:sans-serif;font-size:26px">${design?.(name, hue)}
    <div style="display:flex;gap:30px;padding:30px 60px">${cards(hue)}</div></body>`
}

/** Pictures of example sites, as the service takes them of real ones. */
export async function pictureSites(browser: Browser, names: readonly string[]) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const pictures: Buffer[] = []
  for (const [index, name] of names.entries()) {
    await page.setContent(pageOf(name, index))
    pictures.push(await page.screenshot({ type: 'jpeg', quality: 70 }))
  }
  await page.close()
  return pictures
}
