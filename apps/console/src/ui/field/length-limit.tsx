import { type ReactNode, useEffect, useState } from 'react'
import { classNames } from '../class-names.ts'

/** A field's maximum length; `text` says how many characters remain, negative if it is too long. */
export type Limit = { max: number; text: (remaining: number) => string }

/** The counter shows from this part of the limit on. */
const threshold = 0.9

/** The counter's text; undefined below the threshold. */
function remainingText(value: string, limit: Limit | undefined) {
  if (!limit) return undefined
  // Surrounding whitespace is not sent and does not count.
  const remaining = limit.max - value.trim().length
  return remaining <= limit.max * (1 - threshold)
    ? { text: limit.text(remaining), isOver: remaining < 0 }
    : undefined
}

/** The description of a field, with the counter of remaining characters near the limit. */
export function describeWithLimit(
  description: ReactNode,
  value: string,
  limit: Limit | undefined,
): ReactNode {
  const counter = remainingText(value, limit)
  if (!counter) return description
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      {description && <div>{description}</div>}
      <div className={classNames('ml-auto', counter.isOver && 'text-danger')}>{counter.text}</div>
    </div>
  )
}

/** In milliseconds. While the user types, a screen reader reads the typed characters. */
const announceDelay = 1000

/** Tells screen readers how many characters remain near the limit. */
export function LimitAnnouncement({ value, limit }: { value: string; limit: Limit }) {
  const text = remainingText(value, limit)?.text ?? ''
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(text), announceDelay)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <span role="status" className="sr-only">
      {announced}
    </span>
  )
}
