import type { ActiveInvoice } from '@slipway/contract/invoices'
import { formatUtcDate, getLocale, m } from '@slipway/phrases'
import { type KeyboardEvent, type PointerEvent, useDeferredValue, useId, useState } from 'react'
import { amountText } from '../billing-figures.ts'
import { chartBars, indexOfToday, maxExpected } from './cost-chart-bars.ts'
import { Axis, Bars, barsHeight, Legend } from './cost-chart-drawing.tsx'
import { CostTable } from './cost-chart-table.tsx'

type Days = ActiveInvoice['days']

/** Describes the cost of a past day, today or a future day. */
function readingText({ date, amount, expected }: Days[number], when: number) {
  const texts = {
    date: formatUtcDate(date, getLocale(), { month: 'long' }),
    amount: amountText(amount),
    expected: amountText(expected),
  }
  if (when < 0) return m.invoices_active_read_past(texts)
  return when > 0 ? m.invoices_active_read_coming(texts) : m.invoices_active_read_today(texts)
}

const sameCell = { gridArea: '1 / 1' }

/** Reserves space for the longest sentence, so that nothing below moves. */
const ReadingText = ({ text, longest }: { text: string; longest: string }) => (
  <p aria-hidden className="grid text-muted">
    <span style={{ ...sameCell, visibility: 'hidden' }}>{longest}</span>
    <span style={sameCell}>{text}</span>
  </p>
)

/** How each key moves the selected day. */
const steps: Record<string, (day: number, last: number) => number> = {
  ArrowLeft: (day) => day - 1,
  ArrowDown: (day) => day - 1,
  ArrowRight: (day) => day + 1,
  ArrowUp: (day) => day + 1,
  PageDown: (day) => day - 7,
  PageUp: (day) => day + 7,
  Home: () => 0,
  End: (_, last) => last,
}

/** The selected day: pointed at or moved to with a key, today by default. */
function useSelectedDay(days: Days, today: number) {
  const [picked, setPicked] = useState<number | null>(null)
  const last = days.length - 1
  const inside = (day: number) => Math.min(Math.max(day, 0), last)
  const read = inside(picked ?? today)

  function pointAt({ clientX, currentTarget }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect()
    setPicked(inside(Math.floor(((clientX - left) / width) * days.length)))
  }

  return {
    read,
    isPicked: picked !== null,
    handlers: {
      onPointerDown: pointAt,
      onPointerMove: pointAt,
      // After a touch the day stays selected, so that it can be read.
      onPointerLeave: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && setPicked(null),
      onBlur: () => setPicked(null),
      onKeyDown: (event: KeyboardEvent) => {
        const step = steps[event.key]
        if (!step || event.altKey || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        setPicked(inside(step(read, last)))
      },
    },
  }
}

/** The cost of each day of the period, in UTC: solid so far, light expected. */
export function CostChart({ days, asOf }: Pick<ActiveInvoice, 'days' | 'asOf'>) {
  const id = useId()
  const today = indexOfToday(days, asOf)
  const { read, isPicked, handlers } = useSelectedDay(days, today)
  // Deferred: the figures above do not wait for the bars and the table.
  const isDrawn = useDeferredValue(true, false)
  const dearest = maxExpected(days)
  const day = days[read]
  if (!day || dearest === undefined) return null
  const text = readingText(day, read - today)
  return (
    <figure aria-labelledby={id} className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 id={id} className="font-medium">
          {m.invoices_active_chart()}
        </h3>
        <Legend />
      </div>
      <ReadingText text={text} longest={readingText(days[today] ?? day, 0)} />
      <div
        role="slider"
        tabIndex={0}
        aria-label={m.invoices_active_chart_read()}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={read + 1}
        aria-valuetext={text}
        // Horizontal moves select a day; vertical moves scroll the page.
        style={{ touchAction: 'pan-y' }}
        className="rounded-md text-accent"
        {...handlers}
      >
        {isDrawn ? (
          <Bars
            bars={chartBars(days)}
            today={today}
            read={isPicked ? read : null}
            top={amountText(dearest)}
          />
        ) : (
          <div style={{ height: barsHeight }} />
        )}
      </div>
      <Axis days={days} today={today} />
      {isDrawn && <CostTable days={days} today={today} />}
    </figure>
  )
}
