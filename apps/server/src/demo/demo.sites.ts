import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../root.ts'

type DemoPicture = { file: string; alt: string; height: number }

type DemoPage = { title: string; slug: string; text: string }

/** The content of a demo's starter site. `{0}` is its first picture. */
type DemoSite = {
  look: { design: string; accent: string }
  title: string
  text: string
  pages: DemoPage[]
  pictures: DemoPicture[]
}

const harbour: DemoPicture = { file: 'harbour', alt: 'Hills behind the bay at noon', height: 0.66 }
const evening: DemoPicture = { file: 'evening', alt: 'Hills and the moon at night', height: 0.75 }
const garden: DemoPicture = { file: 'garden', alt: 'Green hills in the morning', height: 0.56 }

const sites: Record<string, DemoSite> = {
  'Harbour Cafe': {
    look: { design: 'shopfront', accent: 'teal' },
    title: 'Coffee, cake and the morning light',
    text: `A small cafe on the old quay. We roast on Tuesdays, bake every day and close when the last cardamom bun is gone.

**[Reserve a table](/contact)**

## Today at the counter

- Filter coffee from our own roastery
- Cardamom buns, from seven in the morning
- Soup of the day with bread and butter

{0}
{1}
{2}

## Opening hours

| Day | From | To |
| --- | --- | --- |
| Monday to Friday | 07:00 | 18:00 |
| Saturday | 08:00 | 18:00 |
| Sunday | 09:00 | 14:00 |`,
    pages: [
      {
        title: 'Contact',
        slug: 'contact',
        text: 'Old Quay 12, right behind the fish market.\n\n**[Write to us](mailto:hello@harbour-cafe.example)**',
      },
    ],
    pictures: [harbour, evening, garden],
  },
  'Old Mill Museum': {
    look: { design: 'portfolio', accent: 'rust' },
    title: 'Water, wood and flour',
    text: `The mill has turned since 1794. Come and hear it, every Sunday at three.

{0}

## In the collection

{1}
{2}`,
    pages: [{ title: 'Visit', slug: 'visit', text: 'Open from April to October.' }],
    pictures: [evening, harbour, garden],
  },
  'Town Library': {
    look: { design: 'journal', accent: 'green' },
    title: 'What we read in November',
    text: `Three books that came back with a note inside, and one that did not come back at all.

{0}

> A library is a room in which nobody is in a hurry.

- *The Summer Book*, Tove Jansson
- *A Mind at Peace*, Ahmet Hamdi Tanpınar`,
    pages: [
      { title: 'Opening hours', slug: 'opening-hours', text: 'Tuesday to Saturday, 10 to 6.' },
    ],
    pictures: [garden],
  },
}

const widths = [640, 1280]

const pictureId = (index: number) => String(index + 1).padStart(12, '0')

/** Writes the content of a demo project's starter site, as its editor would have stored it. */
export const writeDemoSite = async (data: string, name: string, time: Date): Promise<void> => {
  const site = sites[name]
  if (!site) return
  const updatedAt = time.toISOString()
  await mkdir(join(data, 'pictures'), { recursive: true })
  const pictures = await Promise.all(
    site.pictures.map(async ({ file, alt, height }, index) => {
      const id = pictureId(index)
      const files = await Promise.all(
        widths.map(async (width) => {
          const source = join(root, 'apps/server/src/demo/pictures', `${file}-${width}.webp`)
          await cp(source, join(data, 'pictures', `${id}-${width}.webp`))
          const bytes = (await readFile(source)).length
          return { width, height: Math.round(width * height), type: 'webp', bytes }
        }),
      )
      return { id, alt, files, updatedAt }
    }),
  )
  const text = site.text.replace(
    /\{(\d)\}/g,
    (_, index) => `![](/pictures/${pictureId(Number(index))})`,
  )
  const home = { format: 2, title: site.title, text, createdAt: updatedAt, updatedAt }
  const pages = site.pages.map((page, index) => ({
    id: pictureId(index),
    ...page,
    inMenu: true,
    updatedAt,
  }))
  const look = { look: site.look, lookUpdatedAt: updatedAt }
  const website = { format: 1, language: 'en', ...look, pages, pictures }
  await writeFile(join(data, 'content.json'), JSON.stringify(home))
  await writeFile(join(data, 'website.json'), JSON.stringify(website))
}
