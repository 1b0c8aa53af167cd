import LoaderCircle from 'lucide-react/icons/loader-circle'

/** For pending buttons; a page that loads shows a skeleton. */
export const Spinner = () => <LoaderCircle className="size-4 shrink-0 animate-turn" aria-hidden />
