import { useLocation, useNavigate } from 'react-router-dom';
import { menu } from '../../api/screens.ts';
import { hasProduct, useSession } from '../session.ts';
import { MenuIcon } from './MenuIcon.tsx';
import { cardGroup } from './card_group.ts';
import { barGroups, findGroup, holdsActive, isActive } from './menu_tree.ts';
import { openPanel, panel } from './panels.ts';
import styles from './layout.module.css';

/** Phone: the groups in the bottom bar. A group without visible entries is left out. */
export default function BottomBar() {
  const { tree, loaded, error } = menu.use();
  const { products } = useSession();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const open = panel.use();

  const groups = barGroups.flatMap((name) => {
    if (name === 'HOME' || (name === 'FMS' && !hasProduct(products, 'FMS'))) return [];
    const node = findGroup(tree, name);
    return node && (node.children?.length || node.route) ? [node] : [];
  });

  // Its groups are loaded with the menu: shown earlier, a button would move under the thumb.
  if (!loaded && !error) return <nav className={styles.bottom} aria-label="Main groups" />;
  return (
    <nav className={styles.bottom} aria-label="Main groups">
      <button
        type="button"
        aria-current={isActive('/show_list', pathname) ? 'page' : undefined}
        onClick={() => {
          openPanel(null);
          void navigate('/show_list');
        }}
      >
        <MenuIcon name="Home" />
        Home
      </button>
      {groups.map((node) => (
        <button
          key={node.code}
          type="button"
          aria-current={holdsActive(node, pathname) ? 'page' : undefined}
          onClick={() => {
            cardGroup.set(node.code);
            openPanel('menu');
          }}
        >
          <MenuIcon name={node.icon} fallback="Folder" />
          {node.name}
        </button>
      ))}
      <button
        type="button"
        aria-expanded={open === 'menu'}
        onClick={() => {
          cardGroup.set(null);
          openPanel(open === 'menu' ? null : 'menu');
        }}
      >
        <MenuIcon name="Apps" />
        Menu
      </button>
    </nav>
  );
}
