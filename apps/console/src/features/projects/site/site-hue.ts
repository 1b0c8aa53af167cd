import type { Project } from '@slipway/contract/projects'
import type { CSSProperties } from 'react'

/** The golden angle in degrees: it spreads consecutive numbers over the circle. */
const goldenAngle = 137.508

/** A project's own hue in degrees, from its key, which never changes. */
export const siteHue = ({ key }: Pick<Project, 'key'>) => {
  let sum = 0
  for (const character of key) sum = (sum * 31 + character.charCodeAt(0)) % 4096
  return Math.round((sum * goldenAngle) % 360)
}

/** The hue for elements with the class `site-tile`. */
export const hueStyle = (project: Pick<Project, 'key'>) =>
  ({ '--hue': siteHue(project) }) as CSSProperties
