import icon from '../../../site/public/icon.svg';

/** The icon of the service; `size` in pixels. */
export const Logo = ({ size }: { readonly size: number }) => <img src={icon} width={size} height={size} alt="" />;
