import type { Project } from '@slipway/contract/projects'

/** A visible character: no space, control or format character, and no blank letter. */
const visibleCharacter = /[^\p{C}\p{Z}\p{M}\u115f\u1160\u2800\u3164\uffa0]/u

/** The project's name; its key if the name has no visible character. */
export const displayName = ({ name, key }: Pick<Project, 'name' | 'key'>) =>
  visibleCharacter.test(name) ? name : key
