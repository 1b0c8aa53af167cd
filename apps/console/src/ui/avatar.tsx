import { classNames } from './class-names.ts'

function initialsOf(name: string) {
  const words = name.trim().split(/\s+/)
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : '']
  return ([...first][0] ?? '') + ([...last][0] ?? '')
}

const looks = {
  user: 'size-7 rounded-full',
  /** As high as the line of a heading. */
  heading: 'size-8 rounded-full',
  /** As large as the tile of a site in a list. */
  team: 'size-9 rounded-md',
}

/**
 * The initials of a user or a team, as decoration. CSS renders them, so that they are no text of
 * the page: the name is beside them.
 */
export const Avatar = ({ name, look = 'user' }: { name: string; look?: keyof typeof looks }) => (
  <span
    aria-hidden
    data-initials={initialsOf(name)}
    className={classNames(
      'pointer-events-none inline-flex shrink-0 items-center justify-center select-none',
      'bg-accent-soft text-xs font-semibold text-accent uppercase before:content-[attr(data-initials)]',
      looks[look],
    )}
  />
)
