import { type Locale, m } from '@slipway/phrases'
import { paths } from '../../paths.ts'

/** The areas of the console, in the order of the navigation. */
export const areas = [
  {
    to: paths.projects(),
    under: '/projects',
    key: 'p',
    create: paths.createProject(),
    name: m.shell_projects,
  },
  { to: paths.teams(), under: '/teams', key: 't', name: m.shell_teams },
  {
    to: paths.tickets(),
    under: '/support',
    key: 's',
    create: paths.createTicket(),
    name: m.shell_support,
  },
  {
    to: paths.billing(),
    under: '/account/billing',
    key: 'b',
    create: paths.addPaymentMethod(),
    name: m.shell_billing,
  },
] satisfies {
  to: string
  /** The addresses where it is the current one. */
  under: string
  /** After `g`, goes there. */
  key: string
  /** Where something new of the area is made. */
  create?: string
  name: (inputs?: object, options?: { locale?: Locale }) => string
}[]

export type Area = (typeof areas)[number]

/** The area of an address, if it is in one; like the router it takes capitals for small letters. */
export const areaOf = (pathname: string): Area | undefined =>
  areas.find(({ under }) => pathname.toLowerCase().startsWith(under))
