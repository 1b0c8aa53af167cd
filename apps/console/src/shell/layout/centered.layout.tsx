import { type ReactNode, useEffect } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { mainId } from '../page/main-id.ts'
import { Brand } from './brand.tsx'
import { Preferences } from './preferences.tsx'
import { replayRecordedEvents } from './recorded-events.ts'
import { ServiceLinks } from './service-links.tsx'

/** The layout without the navigation: the brand, a centered column, the preferences. */
export function CenteredLayout({
  hasCard,
  wide,
  children,
}: {
  /** In a wide window the page is a card that has the brand. */
  hasCard?: boolean
  /** A wider column, for text pages. */
  wide?: boolean
  children: ReactNode
}) {
  useEffect(() => {
    // Runs after the children's effects have attached their handlers.
    const timer = setTimeout(replayRecordedEvents)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="flex flex-1 flex-col items-center gap-4 px-4 py-8">
      <header className={hasCard ? 'w-full max-w-md lg:hidden' : undefined}>
        <Brand />
      </header>
      <main
        id={mainId}
        tabIndex={-1}
        className={classNames(
          'grid w-full flex-1 content-start sm:pt-4',
          // Room for an error, so that nothing moves when the login fails.
          hasCard && 'lg:auto-rows-[minmax(37rem,auto)] lg:content-center lg:pt-0',
          wide ? 'max-w-xl' : 'max-w-md lg:has-[aside]:max-w-4xl',
        )}
      >
        {children}
      </main>
      <footer className="grid w-full gap-1">
        <Preferences />
        <ServiceLinks />
        {hasCard && (
          <img
            src="/sea.svg"
            alt=""
            width="400"
            height="112"
            className="-mx-4 -mb-8 h-auto w-screen max-w-none sm:hidden"
          />
        )}
      </footer>
    </div>
  )
}
