import { classNames } from './class-names.ts'

function initialsOf(name: string) {
  const words = name.trim().split(/\s+/)
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : '']
  return ([...first][0] ?? '') + ([...last][0] ?? '')
}

/** A user's initials, which CSS prints, as the name is beside them. Decoration only. */
export const Avatar = ({ name }: { name: string }) => (
  <span
    aria-hidden
    data-initials={initialsOf(name)}
    className={classNames(
      'pointer-events-none inline-flex size-7 shrink-0 items-center justify-center rounded-full',
      'bg-accent-soft text-xs font-semibold text-accent uppercase before:content-[attr(data-initials)]',
    )}
  />
)
