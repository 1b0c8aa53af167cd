import LoaderCircle from 'lucide-react/icons/loader-circle'

/** For a button that waits; a page that waits shows a skeleton. */
export const Spinner = () => <LoaderCircle className="size-4 shrink-0 animate-turn" aria-hidden />
