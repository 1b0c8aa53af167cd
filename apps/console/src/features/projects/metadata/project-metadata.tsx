import type { ProjectDetail } from '@slipway/contract/projects'
import { Detail } from '../../../ui/detail-list.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { metadataLabel } from './metadata-label.ts'
import { metadataValue, visibleMetadata } from './metadata-value.ts'

type Metadata = ProjectDetail['metadata']

/** The facts that the hosting engine reports about the site, such as its CMS version. */
export const MetadataDetails = ({ metadata, loading }: { metadata: Metadata; loading: boolean }) =>
  loading
    ? ['w-24', 'w-32', 'w-28'].map((width) => (
        <Detail key={width} label={<Skeleton className={width} />}>
          <Skeleton className="w-24" />
        </Detail>
      ))
    : visibleMetadata(metadata).map(({ key, value }) => (
        <Detail key={key} label={metadataLabel(key)}>
          {metadataValue(key, value)}
        </Detail>
      ))
