import { Badge, Button, Link as FluentLink } from '@fluentui/react-components';
import { ArrowClockwiseRegular, ErrorCircleRegular } from '@fluentui/react-icons';
import type { ReactElement, ReactNode } from 'react';
import { Suspense, lazy, useEffect } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useBrand } from './brand.ts';
import type { Crumb } from './breadcrumbs.ts';
import { useBreadcrumbs } from './breadcrumbs.ts';
import type { PageAction } from './page_action.ts';
import { pageStar } from './quick_links/page_star.ts';
import { usePhone } from './session.ts';
import styles from './page.module.css';

export { useUnsavedGuard } from './unsaved_guard.ts';

const MoreMenu = lazy(() => import('./more_menu.tsx'));

export interface PageStatus {
  label: string;
  tone: 'neutral' | 'brand' | 'success' | 'warning' | 'danger';
}

export interface PageFrameProps {
  title: string;
  /** Default: the page's place in the menu. */
  breadcrumbs?: Crumb[];
  /** The record's number, beside the title. */
  number?: string;
  status?: PageStatus;
  primary?: PageAction;
  secondary?: PageAction[];
  /** Controls other than buttons, e.g. a switch between grid and tree. */
  aside?: ReactNode;
  more?: PageAction[];
  /** `form`: at most 1040 px wide. `fill`: the body takes the remaining height and scrolls itself. */
  layout?: 'page' | 'form' | 'fill';
  children: ReactNode;
}

const badgeColours = {
  neutral: 'informative',
  brand: 'brand',
  success: 'success',
  warning: 'warning',
  danger: 'danger',
} as const;

/** The frame of every page: a sticky header, and the body below it. */
export function Page({
  title,
  number,
  status,
  primary,
  secondary,
  aside,
  more,
  layout = 'page',
  ...rest
}: PageFrameProps) {
  const phone = usePhone();
  const { title: product } = useBrand();
  const place = useBreadcrumbs();
  const crumbs = rest.breadcrumbs ?? place;
  const Star = pageStar.use();

  useEffect(() => {
    document.title = [number ? `${title} ${number}` : title, product].filter(Boolean).join(' · ');
  }, [title, number, product]);

  const beside = (phone && primary && secondary?.filter((action) => action.besideMain)) || [];
  const overflow = phone
    ? [...(secondary ?? []).filter((action) => !beside.includes(action)), ...(more ?? [])]
    : (more ?? []);
  // Beside a long title it would take a line of its own on a phone.
  const star = Star && title !== '' && <Star title={number ? `${title} ${number}` : title} />;
  return (
    <div className={styles.page} data-layout={layout} data-bar={phone && primary ? '' : undefined}>
      <header className={styles.header}>
        <div className={styles.heading}>
          {crumbs.length > 0 && (
            <nav aria-label="Breadcrumb">
              <ol className={styles.crumbs}>
                {crumbs.map((crumb) => (
                  <li key={crumb.label + (crumb.to ?? '')}>
                    {crumb.to ? <Link to={crumb.to}>{crumb.label}</Link> : crumb.label}
                  </li>
                ))}
              </ol>
            </nav>
          )}
          <div className={styles.titleLine}>
            <h1 className={styles.title} title={title}>
              {title}
            </h1>
            {number && <span className={styles.number}>{number}</span>}
            {status && (
              <Badge appearance="tint" color={badgeColours[status.tone]}>
                {status.label}
              </Badge>
            )}
            {!phone && star}
          </div>
        </div>
        <div className={styles.actions}>
          {aside}
          {phone && star}
          {!phone && secondary?.map((action) => <ActionButton key={action.label} action={action} />)}
          {overflow.length > 0 && (
            <Suspense fallback={null}>
              <MoreMenu actions={overflow} />
            </Suspense>
          )}
          {!phone && primary && <ActionButton action={primary} primary />}
        </div>
      </header>
      {rest.children}
      {phone && primary && (
        <div className={styles.bar}>
          {beside.map((action) => (
            <ActionButton key={action.label} action={action} />
          ))}
          <ActionButton action={primary} primary />
        </div>
      )}
    </div>
  );
}

/** An action as a button; one that leads to a page is a link. */
export function ActionButton({ action, primary = false }: { action: PageAction; primary?: boolean }) {
  const navigate = useNavigate();
  const tip =
    action.disabled && action.reason ? action.reason : action.shortcut && `${action.label} (${action.shortcut})`;
  const common = {
    appearance: primary ? ('primary' as const) : ('secondary' as const),
    ...(action.busy ? { icon: <span className={styles.busy} aria-hidden /> } : action.icon && { icon: action.icon }),
    ...(tip && { title: tip }),
  };
  if (action.to !== undefined && !action.disabled) {
    const { to } = action;
    return (
      <Button
        as="a"
        {...common}
        href={to}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          void navigate(to);
        }}
      >
        {action.label}
      </Button>
    );
  }
  return (
    <Button
      {...common}
      {...(action.disabled && { disabled: true })}
      {...(action.busy && { 'aria-busy': true })}
      {...(!action.busy && action.onClick && { onClick: action.onClick })}
    >
      {action.label}
    </Button>
  );
}

/** The body below the header. `pad={false}` for a grid that reaches the edges. */
export function PageBody({ children, pad = true }: { children: ReactNode; pad?: boolean }) {
  return <div className={pad ? styles.body : styles.bodyFlush}>{children}</div>;
}

/** An error message with a retry. */
export function ErrorView({
  error,
  title = 'This could not be loaded.',
  retry,
  home = false,
}: {
  error: unknown;
  title?: string;
  retry?: () => void;
  /** Offers a link to Home as well. */
  home?: boolean;
}) {
  const text = error instanceof Error ? error.message : typeof error === 'string' ? error : '';
  return (
    <div className={styles.notice} role="alert">
      <ErrorCircleRegular className={styles.noticeIcon} aria-hidden />
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      <div className={styles.noticeActions}>
        {retry && (
          <Button appearance="primary" icon={<ArrowClockwiseRegular />} onClick={retry}>
            Try again
          </Button>
        )}
        {home && (
          <Link to="/show_list" className={styles.noticeLink}>
            Go home
          </Link>
        )}
      </div>
    </div>
  );
}

/** The purpose of an empty list, and the first step. */
export function EmptyState({
  title,
  text,
  icon,
  actions = [],
}: {
  title: string;
  text?: string;
  icon?: ReactElement;
  /** The first is the primary one. */
  actions?: PageAction[];
}) {
  return (
    <div className={styles.notice}>
      {icon && <span className={styles.emptyIcon}>{icon}</span>}
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {actions.length > 0 && (
        <div className={styles.noticeActions}>
          {actions.map((action, index) => (
            <ActionButton key={action.label} action={action} primary={index === 0} />
          ))}
        </div>
      )}
    </div>
  );
}

/** A skeleton of the coming content; announced once to screen readers. */
export function Skeleton({ rows = 8, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <div className={styles.skeleton} role="status" aria-busy aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} aria-hidden />
      ))}
    </div>
  );
}

/** A link styled as text, for use within sentences. */
export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  const navigate = useNavigate();
  return (
    <FluentLink
      href={to}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        void navigate(to);
      }}
    >
      {children}
    </FluentLink>
  );
}
