import type { LogEntry } from '@slipway/contract/logs'
import { formatNumber, getLocale, m } from '@slipway/phrases'
import { useVirtualizer } from '@tanstack/react-virtual'
import ArrowDown from 'lucide-react/icons/arrow-down'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { LogLine } from './log-line.tsx'

/** The height of a line that is not wrapped, in pixels. */
const lineHeight = 20
/** Up to this distance from the end the log follows new lines, in pixels. */
const endDistance = 30

/**
 * The lines of a log, of which only the visible ones are rendered. It follows the newest line until
 * the user scrolls up, and again after the user scrolls to the end or clicks the button.
 */
export function LogLines({
  entries,
  label,
  header,
}: {
  entries: readonly LogEntry[]
  label: string
  /** Above the oldest line. */
  header: ReactNode
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const [follows, setFollows] = useState(true)
  const [lastSeen, setLastSeen] = useState('')
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    getItemKey: useCallback((index: number) => entries[index]?.position ?? index, [entries]),
    overscan: 20,
    // Older lines that load above do not move the visible lines.
    anchorTo: 'end',
  })
  const size = virtualizer.getTotalSize()

  const goToEnd = useCallback(() => {
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when a line arrives or is measured
  useLayoutEffect(() => {
    if (follows) goToEnd()
  }, [follows, goToEnd, size, entries])

  const lastPosition = entries.at(-1)?.position ?? ''
  useEffect(() => {
    if (follows) setLastSeen(lastPosition)
  }, [follows, lastPosition])

  function onScroll() {
    const element = scroller.current
    if (!element) return
    const distance = element.scrollHeight - element.scrollTop - element.clientHeight
    setFollows(distance <= endDistance)
  }

  const newLines = follows ? 0 : entries.filter(({ position }) => position > lastSeen).length
  return (
    <div className="relative">
      <div
        ref={scroller}
        role="log"
        aria-label={label}
        // A screen reader would never finish the log of a busy site.
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        className="h-[calc(100dvh-28rem)] min-h-80 overflow-y-auto overscroll-contain rounded-md border border-line bg-surface py-2"
        style={{ overflowAnchor: 'none' }}
        onScroll={onScroll}
      >
        {header}
        <div className="relative" style={{ height: size }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <LogLine entry={entries[index] as LogEntry} />
            </div>
          ))}
        </div>
      </div>
      {!follows && (
        <div className="absolute inset-x-0 bottom-4 flex justify-center">
          <Button
            variant="primary"
            icon={ArrowDown}
            onClick={() => {
              setFollows(true)
              scroller.current?.focus()
            }}
          >
            {newLines > 0
              ? m.logs_new_lines({
                  count: newLines,
                  lines: formatNumber(newLines, getLocale()),
                })
              : m.logs_follow()}
          </Button>
        </div>
      )}
    </div>
  )
}
