import type { ReactNode } from 'react'
import { Brand } from './brand.tsx'
import { mainId } from './main-id.ts'
import { Preferences } from './preferences.tsx'

/** A page without the navigation: the brand, one column in the middle, the preferences. */
export const LightLayout = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-1 flex-col items-center gap-8 px-4 py-8">
    <header>
      <Brand />
    </header>
    <main id={mainId} tabIndex={-1} className="grid w-full max-w-sm flex-1 content-start sm:pt-8">
      {children}
    </main>
    <footer>
      <Preferences />
    </footer>
  </div>
)
