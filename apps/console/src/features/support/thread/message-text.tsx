import { m } from '@slipway/phrases'
import { Fragment, useMemo } from 'react'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { segmentsOf } from './message-segments.ts'

/** A link that somebody wrote: it opens apart, learns nothing of this page, and is no recommendation. */
const WrittenLink = ({ text, href }: { text: string; href: string }) => (
  <a
    href={href}
    target="_blank"
    rel="noopener noreferrer nofollow"
    className="rounded-md text-accent underline underline-offset-4 hover:decoration-2"
  >
    {/* What turns the direction of writing in it ends with it. */}
    <bdi>{text}</bdi>
    <VisuallyHidden> ({m.shell_new_tab()})</VisuallyHidden>
  </a>
)

/** A message as it was typed, with its line breaks; markup is text, and addresses are links. */
export function MessageText({ text }: { text: string }) {
  const segments = useMemo(() => segmentsOf(text), [text])
  return (
    <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
      {segments.map(({ start, text: part, href }) =>
        href ? (
          <WrittenLink key={start} text={part} href={href} />
        ) : (
          <Fragment key={start}>{part}</Fragment>
        ),
      )}
    </p>
  )
}
