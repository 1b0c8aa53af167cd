import { type ReactNode, useEffect, useState } from 'react'
import { classNames } from '../class-names.ts'

/** How much may be typed, and how it is said what is left of it; less than nothing is too much. */
export type Limit = { max: number; text: (left: number) => string }

/** From this part of the limit on it is worth saying. */
const near = 0.9

/** What is to be said of what is left; undefined where that is plenty. */
function leftOf(value: string, limit: Limit | undefined) {
  if (!limit) return undefined
  // What is blank around it is not sent, and does not count.
  const left = limit.max - value.trim().length
  return left <= limit.max * (1 - near) ? { text: limit.text(left), isOver: left < 0 } : undefined
}

/** The description of a field, and beside it what is left of its limit once little is. */
export function describeWithLimit(
  description: ReactNode,
  value: string,
  limit: Limit | undefined,
): ReactNode {
  const left = leftOf(value, limit)
  if (!left) return description
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      {description && <div>{description}</div>}
      <div className={classNames('ml-auto', left.isOver && 'text-danger')}>{left.text}</div>
    </div>
  )
}

/** As long as somebody types, a screen reader says what they type; then it has time for this. */
const pause = 1000

/** Tells a screen reader what is left once little is. */
export function LimitAnnouncement({ value, limit }: { value: string; limit: Limit }) {
  const text = leftOf(value, limit)?.text ?? ''
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <span role="status" className="sr-only">
      {announced}
    </span>
  )
}
