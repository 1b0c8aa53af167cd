import type { Project } from '@slipway/contract/projects'

/** A character that leaves a mark: no space, control or format, and none of the letters that are blank. */
const mark = /[^\p{C}\p{Z}\p{M}\u115f\u1160\u2800\u3164\uffa0]/u

/** What a project is called on the screen: by its key, where nothing could be seen of its name. */
export const shownName = ({ name, key }: Pick<Project, 'name' | 'key'>) =>
  mark.test(name) ? name : key
