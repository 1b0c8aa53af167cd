import { listServiceLinks } from '@slipway/contract/service-links'
import { useList } from '../../api/use-list.ts'

/** The line of links at the end of every page. Its height is reserved. */
export const ServiceLinks = () => (
  <ul className="control-height flex flex-wrap justify-center gap-x-2 text-xs text-muted">
    {useList(listServiceLinks)?.map(({ id, name, url }) => (
      <li key={id}>
        <a
          href={url}
          className="control-height inline-flex items-center rounded-md px-2 transition-colors hover:text-fg"
        >
          {name}
        </a>
      </li>
    ))}
  </ul>
)
