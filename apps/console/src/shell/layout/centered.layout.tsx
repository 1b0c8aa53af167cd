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
  /** For text pages. */
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
      {/* Beside a panel the form is in the middle of a high window. */}
      <header className="lg:group-has-[aside]/page:mt-[max(0px,calc(50vh-27rem))]">
        <Brand />
      </header>
      <main
        id={mainId}
        tabIndex={-1}
        className={classNames(
          'grid w-full flex-1 content-start sm:pt-4',
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
