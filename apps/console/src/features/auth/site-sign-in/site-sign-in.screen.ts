import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

/** Stands in for the site's host, which only the URL has. */
const unknownSite = 'site.invalid'

export const screen = defineScreen({
  path: paths.projectLogin.pattern,
  area: 'auth',
  layout: 'auth',
  page: () => import('./site-sign-in.page.tsx'),
  title: m.oauth_code_title,
  prerender: {
    session: 'user',
    description: m.description_site_sign_in,
    search: `?client_id=x&redirect_uri=https://${unknownSite}/&state=x&response_type=code`,
    condition: '.*client_id=',
    placeholder: unknownSite,
  },
})
