import type { Methods } from './handler.ts'
import { picturePath } from './picture-address.ts'
import { showHome, showIcon, showPage, showPicture, showRobots, showSitemap } from './public.ts'

const routes = new Map<string, Methods>([
  ['/', { GET: showHome }],
  ['/favicon.svg', { GET: showIcon }],
  ['/robots.txt', { GET: showRobots }],
  ['/sitemap.xml', { GET: showSitemap }],
])

/** The handlers of a path for visitors. */
export const publicMethods = (path: string): Methods =>
  routes.get(path) ?? { GET: path.startsWith(picturePath) ? showPicture : showPage }
