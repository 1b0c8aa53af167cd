import { robots, sitemap } from './crawlers.ts'
import { lookStyle } from './designs/designs.ts'
import { icon } from './page.ts'
import { picturePath } from './picture-address.ts'
import { homePage, notFoundPage, subPage } from './public-page.ts'
import { redirectPermanently, send, sendPublicPage } from './respond.ts'
import { siteTextLanguage } from './site-language.ts'
import { type Visit, visitedUrl } from './visit.ts'

/** The fields that all public pages of a visit share. */
export const sharedFields = (visit: Visit) => {
  const { site } = visit
  const website = site.website.current()
  return {
    language: siteTextLanguage(website.language, visit.language),
    visitorLanguage: visit.language,
    siteName: site.settings().name,
    website,
    createdAt: site.content.current().createdAt,
    origin: visitedUrl(visit)?.origin ?? null,
  }
}

export const showHome = (visit: Visit): void =>
  sendPublicPage(visit, 200, homePage(sharedFields(visit), visit.site.content.current()))

const showNotFound = (visit: Visit): void =>
  sendPublicPage(visit, 404, notFoundPage(sharedFields(visit)))

/** A page of the menu, or the page for an unknown address. */
export const showPage = (visit: Visit) => {
  const { site, path } = visit
  const { pages } = site.website.current()
  const find = (address: string) => pages.find(({ slug }) => address === `/${slug}`)
  const page = find(path)
  if (page) return sendPublicPage(visit, 200, subPage(sharedFields(visit), page))
  const similarPage = find(path.toLowerCase().replace(/\/+$/, ''))
  if (similarPage) return redirectPermanently(visit, `/${similarPage.slug}`)
  showNotFound(visit)
}

/** One size of a picture. A changed picture has another address. */
export const showPicture = async (visit: Visit): Promise<void> => {
  const { site, path, response } = visit
  const file = site.pictureFiles.find(site.website.current(), path.slice(picturePath.length))
  const bytes = file && (await site.pictureFiles.read(file.name))
  if (!bytes) return showNotFound(visit)
  send(response, 200, file.type, bytes, {
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
  })
}

export const showIcon = ({ site, response }: Visit): void => {
  const { light } = lookStyle(site.website.current().look)
  send(response, 200, 'image/svg+xml', icon(site.settings().name, light), {
    'cache-control': 'no-cache',
  })
}

export const showRobots = (visit: Visit): void =>
  send(visit.response, 200, 'text/plain', robots(visitedUrl(visit)?.origin ?? null), {
    'cache-control': 'no-cache',
  })

export const showSitemap = (visit: Visit) => {
  const origin = visitedUrl(visit)?.origin
  if (!origin) return showNotFound(visit)
  const { content, website } = visit.site
  const home = { path: '/', updatedAt: content.current().updatedAt }
  const pages = website
    .current()
    .pages.map(({ slug, updatedAt }) => ({ path: `/${slug}`, updatedAt }))
  send(visit.response, 200, 'application/xml', sitemap(origin, [home, ...pages]), {
    'cache-control': 'no-cache',
  })
}
