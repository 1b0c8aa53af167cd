import { type Locale, m } from '@slipway/phrases'
import { paths } from '../../paths.ts'

/** The areas of the console, in the order of the navigation. */
export const areas = [
  {
    to: paths.projects(),
    basePath: '/projects',
    key: 'p',
    create: paths.createProject(),
    name: m.shell_projects,
  },
  { to: paths.teams(), basePath: '/teams', key: 't', name: m.shell_teams },
  {
    to: paths.tickets(),
    basePath: '/support',
    key: 's',
    create: paths.createTicket(),
    name: m.shell_support,
  },
  {
    to: paths.billing(),
    basePath: '/account/billing',
    key: 'b',
    create: paths.addPaymentMethod(),
    name: m.shell_billing,
  },
] satisfies {
  to: string
  /** The area is the current one for paths that start with it. */
  basePath: string
  /** The shortcut: `g`, then this key. */
  key: string
  /** The page that creates the area's resource. */
  create?: string
  name: (inputs?: object, options?: { locale?: Locale }) => string
}[]

export type Area = (typeof areas)[number]

/** The area of a path, if there is one; case-insensitive like the router. */
export const areaOf = (pathname: string): Area | undefined =>
  areas.find(({ basePath }) => pathname.toLowerCase().startsWith(basePath))
