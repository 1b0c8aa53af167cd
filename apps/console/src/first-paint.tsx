import { type Locale, locales } from '@slipway/phrases'
import { renderToStaticMarkup } from 'react-dom/server'
import { paths } from './paths.ts'
import { AlphaBanner } from './shell/alpha-banner.tsx'
import { BrandMark, brandClass } from './shell/brand-mark.tsx'
import { areaLinkClass, NavigationFrame, navigationClass } from './shell/navigation-frame.tsx'

/** The navigation as it stands before it can tell anything: its links lead there all the same. */
const EarlyNavigation = ({ locale }: { locale: Locale }) => (
  <header className={navigationClass}>
    <NavigationFrame
      locale={locale}
      brand={
        <a href={paths.home()} className={brandClass}>
          <BrandMark />
        </a>
      }
      link={({ to, name }) => (
        <a href={to} className={areaLinkClass}>
          {name({}, { locale })}
        </a>
      )}
    />
  </header>
)

/**
 * What stands in `index.html` until the program has come: the banner and, for whoever is signed in, the
 * navigation, as the program then shows them at the same place, in every language; the page's first script
 * and `theme.css` leave what is wanted. Run by the build, in Node.
 */
export const firstPaint = () =>
  renderToStaticMarkup(
    locales.map((locale) => (
      <div key={locale} lang={locale} className="first-paint">
        <AlphaBanner locale={locale} />
        <EarlyNavigation locale={locale} />
      </div>
    )),
  )
