import { locales } from '@slipway/phrases'
import { renderToStaticMarkup } from 'react-dom/server'
import { AlphaBanner } from './shell/alpha-banner.tsx'

/**
 * What stands in `index.html` until the program has come: the banner, as the program then shows it at the
 * same place, in every language; the page's first script and `theme.css` leave the one that is wanted.
 * Run by the build, in Node.
 */
export const firstPaint = () =>
  renderToStaticMarkup(
    locales.map((locale) => (
      <div key={locale} lang={locale} className="first-paint">
        <AlphaBanner locale={locale} />
      </div>
    )),
  )
