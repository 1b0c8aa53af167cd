import { type ReactNode, useEffect } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { mainId } from '../page/main-id.ts'
import { Brand } from './brand.tsx'
import { Preferences } from './preferences.tsx'
import { replayRecordedEvents } from './recorded-events.ts'
import { ServiceLinks } from './service-links.tsx'

/** The layout without the navigation: the brand, a centered column, the preferences. */
export function CenteredLayout({
  wide,
  children,
}: {
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
    <div className="group/page flex flex-1 flex-col items-center gap-4 px-4 py-8">
      {/* With an `aside`, the card has the brand and is centered in the viewport. */}
      <header className="lg:group-has-[aside]/page:hidden">
        <Brand />
      </header>
      <main
        id={mainId}
        tabIndex={-1}
        className={classNames(
          'grid w-full flex-1 content-start sm:pt-4 lg:has-[aside]:content-center',
          // Room for an error, so that the login does not move up under the cursor.
          'lg:has-[aside]:auto-rows-[minmax(min(38rem,100svh-12rem),auto)] lg:has-[aside]:items-start',
          wide ? 'max-w-xl' : 'max-w-sm lg:has-[aside]:max-w-4xl',
        )}
      >
        {children}
      </main>
      <footer className="grid w-full gap-1">
        <Preferences />
        <ServiceLinks />
      </footer>
    </div>
  )
}
