import { m } from '@slipway/phrases'
import { Fragment, useMemo } from 'react'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { splitSegments } from './message-segments.ts'

/** A link in a message: opens in a new tab, without referrer and `nofollow`. */
const WrittenLink = ({ text, href }: { text: string; href: string }) => (
  <a
    href={href}
    target="_blank"
    rel="noopener noreferrer nofollow"
    className="rounded-md text-accent underline underline-offset-4 hover:decoration-2"
  >
    {/* Isolates bidirectional control characters. */}
    <bdi>{text}</bdi>
    <VisuallyHidden> ({m.shell_new_tab()})</VisuallyHidden>
  </a>
)

/** A message with its line breaks; markup is shown as text, URLs and addresses as links. */
export function MessageText({ text }: { text: string }) {
  const segments = useMemo(() => splitSegments(text), [text])
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
