import { type Locale, m } from '@slipway/phrases'
import { paths } from '../paths.ts'

/** The areas of the console, in the order of the navigation. */
export const areas = [
  { to: paths.projects(), under: '/projects', name: m.shell_projects },
  { to: paths.teams(), under: '/teams', name: m.shell_teams },
  { to: paths.tickets(), under: '/support', name: m.shell_support },
  { to: paths.billing(), under: '/account/billing', name: m.shell_billing },
] satisfies {
  to: string
  /** The addresses where it is the current one. */
  under: string
  name: (inputs?: object, options?: { locale?: Locale }) => string
}[]

export type Area = (typeof areas)[number]
