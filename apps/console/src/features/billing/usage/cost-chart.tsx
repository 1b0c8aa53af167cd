import type { ActiveInvoice } from '@slipway/contract/invoices'
import { limits } from '@slipway/contract/limits'
import { money, toAmount } from '@slipway/contract/money'
import { formatUtcDate, getLocale, m } from '@slipway/phrases'
import { type KeyboardEvent, type PointerEvent, useDeferredValue, useId, useState } from 'react'
import { chargedText } from '../billing-figures.ts'
import { chartBars, indexOfToday, maxExpected } from './cost-chart-bars.ts'
import { Axis, Bars, barColor, barsHeight, Legend, Scale } from './cost-chart-drawing.tsx'
import { CostTable } from './cost-chart-table.tsx'

type Days = ActiveInvoice['days']

function dayText({ date, amount, expected }: Days[number], daysFromToday: number) {
  const texts = {
    date: formatUtcDate(date, getLocale(), { month: 'long' }),
    amount: chargedText(amount),
    expected: chargedText(expected),
  }
  if (daysFromToday < 0) return m.invoices_active_read_past(texts)
  return daysFromToday > 0
    ? m.invoices_active_read_coming(texts)
    : m.invoices_active_read_today(texts)
}

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
  const [pickedDay, setPickedDay] = useState<number | null>(null)
  const [isFocused, setIsFocused] = useState(false)
  const last = days.length - 1
  const clamp = (day: number) => Math.min(Math.max(day, 0), last)
  const selected = clamp(pickedDay ?? today)

  function pointAt({ clientX, currentTarget }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect()
    setPickedDay(clamp(Math.floor(((clientX - left) / width) * days.length)))
  }

  return {
    selected,
    isPicked: isFocused || pickedDay !== null,
    handlers: {
      onPointerDown: pointAt,
      onPointerMove: pointAt,
      // After a touch the day stays selected, so that it can be read.
      onPointerLeave: ({ pointerType }: PointerEvent) =>
        pointerType === 'mouse' && setPickedDay(null),
      onFocus: () => setIsFocused(true),
      onBlur: () => {
        setIsFocused(false)
        setPickedDay(null)
      },
      onKeyDown: (event: KeyboardEvent) => {
        const step = steps[event.key]
        if (!step || event.altKey || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        setPickedDay(clamp(step(selected, last)))
      },
    },
  }
}

/** The only project whose hours of this month have reached the cap, if its name is short. */
function cappedProject(items: ActiveInvoice['items']) {
  const [item, ...others] = items.filter(
    ({ runningHours }) => runningHours >= limits.billedHoursPerMonth,
  )
  return others.length === 0 && item && item.projectName.length <= 20 ? item.projectName : undefined
}

/** The cost of each day of the period, in UTC: solid so far, light expected. */
export function CostChart({ days, asOf, capDay, items }: ActiveInvoice) {
  const id = useId()
  const today = indexOfToday(days, asOf)
  const { selected, isPicked, handlers } = useSelectedDay(days, today)
  // Deferred: the figures above do not wait for the bars and the table.
  const isDrawn = useDeferredValue(true, false)
  const highest = maxExpected(days)
  const day = days[selected]
  if (!day || highest === undefined) return null
  const text = dayText(day, selected - today)
  const position = `${((selected + 0.5) / days.length) * 100}%`
  return (
    <figure aria-labelledby={id} className="grid gap-2">
      {/* Room for the tooltip below. */}
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 id={id} className="font-medium">
          {m.invoices_active_chart()}
        </h3>
        <Legend />
      </div>
      <div className="grid grid-cols-[auto_1fr] gap-x-3">
        <Scale
          amounts={[highest, toAmount(money(highest).div(2)), '0'].map((amount) =>
            chargedText(amount),
          )}
        />
        <div
          role="slider"
          tabIndex={0}
          aria-label={m.invoices_active_chart_read()}
          aria-valuemin={1}
          aria-valuemax={days.length}
          aria-valuenow={selected + 1}
          aria-valuetext={text}
          // Horizontal moves select a day; vertical moves scroll the page. The bar is outlined.
          style={{ ...barColor, touchAction: 'pan-y', outline: 'none' }}
          className="relative"
          {...handlers}
        >
          {isDrawn ? (
            <Bars
              bars={chartBars(days)}
              selected={isPicked ? selected : null}
              capDay={capDay}
              capProject={cappedProject(items)}
            />
          ) : (
            <div style={{ height: barsHeight }} />
          )}
          {isPicked && (
            <span
              aria-hidden
              className="pointer-events-none absolute bottom-full z-10 rounded-md border border-line bg-raised px-2 py-1 text-xs whitespace-nowrap text-fg"
              style={{ left: position, transform: `translateX(-${position})` }}
            >
              {text}
            </span>
          )}
        </div>
        <span />
        <Axis days={days} today={today} />
      </div>
      {isDrawn && <CostTable days={days} today={today} />}
    </figure>
  )
}
