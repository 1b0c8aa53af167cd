import { escapeHtml } from './html.ts'

/** robots.txt (RFC 9309): everything but the editor. */
export const robots = (origin: string | null): string =>
  `User-agent: *\nDisallow: /yk/\n${origin === null ? '' : `Sitemap: ${origin}/sitemap.xml\n`}`

/** sitemap.xml (sitemaps.org, version 0.9) of these pages. */
export const sitemap = (
  origin: string,
  pages: readonly { path: string; updatedAt: string }[],
): string => {
  const entries = pages.map(
    ({ path, updatedAt }) =>
      `<url><loc>${escapeHtml(origin + path)}</loc><lastmod>${updatedAt}</lastmod></url>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('')}</urlset>
`
}
